import { parseArgs } from 'node:util'
import type { Order } from './run-parts.ts'

const help = `npm run torture -- [PART...] [options]

Tries to break what is promised, part by part; fails with exit code 1 where something did not hold.

  --seed N     the same seed makes the same cases; another one for each run by default
  --count N    how much of what a part counts, instead of its full size
  --only N     one case alone, as a failure names it
  --state DIR  where each part notes how far it is, and goes on from there when it was interrupted
  --fresh      begins again, whatever was noted
  --table      shows what was noted and runs nothing
  --write      the same, and puts it into test/torture/README.md
  --list       shows the parts and their full sizes`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    count: { type: 'string' },
    only: { type: 'string' },
    state: { type: 'string', default: 'node_modules/.cache/dagfs/torture' },
    fresh: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})

// the tests' seed is read when the first of them is loaded
if (values.seed !== undefined) {
  process.env.SEED = String(whole('seed', values.seed))
}

if (values.help) {
  print(help)
} else {
  const { listParts, showTable, tortureParts, writeTable } = await import('./run-parts.ts')

  if (values.list) {
    print(listParts())
  } else if (values.write) {
    writeTable(values.state)
  } else if (values.table) {
    print(showTable(values.state))
  } else {
    const order: Order = {
      names: positionals,
      count: values.count === undefined ? undefined : whole('count', values.count),
      only: values.only === undefined ? undefined : whole('only', values.only),
      hasSeed: values.seed !== undefined,
      folder: values.state,
      isFresh: values.fresh,
      print
    }
    process.exitCode = await tortureParts(order) ? 0 : 1
  }
}

function whole (option: string, value: string): number {
  const number = Number(value)

  if (!Number.isSafeInteger(number) || number < 0) {
    throw new Error(`--${option} must be a whole number, not ${value}`)
  }

  return number
}

function print (line: string): void {
  process.stdout.write(`${line}\n`)
}
