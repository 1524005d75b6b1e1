import { execFileSync } from 'node:child_process'
import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { RecordFile } from '../../../src/adapters/host/record-file.ts'
import { abortedInTurn, temporaryDirectory } from './host.ts'

describe('adapters/host/record-file', () => {
  let path: string
  let directory: string
  let remove: () => void

  beforeEach(() => {
    ({ path: directory, remove } = temporaryDirectory())
    path = join(directory, 'record')
  })

  afterEach(() => {
    remove()
  })

  /** A file of three lines. */
  async function written (): Promise<RecordFile> {
    const file = new RecordFile(path, { of: 'this' })
    await file.add([{ a: 1 }, { b: 'é\u2028\n' }])
    await file.add([{ c: 3 }])

    return file
  }

  const three = [{ a: 1 }, { b: 'é\u2028\n' }, { c: 3 }]

  it('reads what was added, and appends', async () => {
    await written()
    const file = new RecordFile(path, { of: 'this' })

    expect(await all(file.read())).to.deep.equal(three)
    await file.add([{ d: 4 }])
    expect(await all(new RecordFile(path, { of: 'this' }).read())).to.deep.equal([...three, { d: 4 }])
  })

  it('reads a missing or invalid record as empty', async () => {
    expect(await all(new RecordFile(path, {}).read())).to.deep.equal([])
    nodefs.writeFileSync(path, '')
    expect(await all(new RecordFile(path, {}).read())).to.deep.equal([])
    nodefs.writeFileSync(path, new Uint8Array(5_000))
    expect(await all(new RecordFile(path, {}).read())).to.deep.equal([])
    nodefs.rmSync(path)
    await written()
    expect(await all(new RecordFile(path, { of: 'that' }).read())).to.deep.equal([])
  })

  it('replaces the record of another source', async () => {
    await written()
    const file = new RecordFile(path, { of: 'that' })
    await all(file.read())
    await file.add([{ d: 4 }])

    expect(await all(new RecordFile(path, { of: 'that' }).read())).to.deep.equal([{ d: 4 }])
    expect(nodefs.readdirSync(directory)).to.deep.equal(['record'])
  })

  it('replaces a record of an earlier format', async () => {
    nodefs.writeFileSync(path, `${'0a'.repeat(32)} {"format":"dagfs-import-2","of":"this"}\n`)
    const file = new RecordFile(path, { of: 'this' })

    expect(await all(file.read())).to.deep.equal([])
    await file.add([{ a: 1 }])
    expect(await all(new RecordFile(path, { of: 'this' }).read())).to.deep.equal([{ a: 1 }])
  })

  it('reads a foreign record with a torn first line as empty', async () => {
    await written()
    const whole = nodefs.readFileSync(path)

    for (let at = 9; at < 40; at++) {
      nodefs.writeFileSync(path, whole.subarray(0, at))
      expect(await all(new RecordFile(path, { of: 'that' }).read()), `at ${at}`).to.deep.equal([])
    }
  })

  it('refuses a foreign file, and leaves it unchanged', async () => {
    for (const content of ['12345', '0123abcd', '0123abcd [', '0123abcd {"format":"x"}', 'a letter to my aunt', '{"format":"dagfs-import-1"}\n', 'x'.repeat(500)]) {
      nodefs.writeFileSync(path, content)

      await expect(all(new RecordFile(path, {}).read())).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', path })
      expect(nodefs.readFileSync(path, 'utf8')).to.equal(content)
    }
  })

  it('ends before a torn or damaged line, and appends there', async () => {
    await written()
    const whole = nodefs.readFileSync(path)
    const lines = whole.toString().split('\n').slice(0, 4)
    const ends = lines.map((_, i) => Buffer.from(lines.slice(0, i + 1).join('\n')).byteLength + 1)
    const opening = 8 + '{"format":"dagfs-import-'.length + 1

    for (let at = 0; at < whole.byteLength; at++) {
      const intact = Math.max(0, ends.filter(end => end <= at).length - 1)
      const torn = whole.subarray(0, at)

      // what does not begin as a record can be a file of anybody
      for (const damaged of at < opening ? [torn] : [torn, Buffer.from(whole.map((byte, i) => i === at ? byte ^ 1 : byte))]) {
        nodefs.writeFileSync(path, damaged)
        const file = new RecordFile(path, { of: 'this' })

        expect(await all(file.read()), `at ${at}`).to.deep.equal(three.slice(0, intact))
        await file.add([{ d: 4 }])
        expect(await all(new RecordFile(path, { of: 'this' }).read()), `at ${at}`).to.deep.equal([...three.slice(0, intact), { d: 4 }])
      }
    }
  })

  it('ends at the first interleaved line of two writers', async () => {
    await written()
    const [one, other] = [new RecordFile(path, { of: 'this' }), new RecordFile(path, { of: 'this' })]
    await Promise.all([all(one.read()), all(other.read())])
    await one.add([{ d: 4 }, { e: 5 }])
    await other.add([{ f: 6 }])
    await one.add([{ g: 7 }])

    const read = await all(new RecordFile(path, { of: 'this' }).read())
    expect(read.slice(0, 3)).to.deep.equal(three)
    expect([[], [{ f: 6 }], [{ d: 4 }, { e: 5 }]]).to.deep.include(read.slice(3))
  })

  it('is rewritten atomically', async () => {
    const file = await written()
    await file.replace([{ d: 4 }])
    await file.add([{ e: 5 }])
    expect(await all(new RecordFile(path, { of: 'this' }).read())).to.deep.equal([{ d: 4 }, { e: 5 }])

    const { renameSync } = nodefs
    nodefs.renameSync = () => { throw Object.assign(new Error('EIO'), { code: 'EIO' }) }

    try {
      await expect(file.replace([])).to.eventually.be.rejected.with.include({ code: 'EIO' })
    } finally {
      nodefs.renameSync = renameSync
    }

    expect(nodefs.readdirSync(directory)).to.deep.equal(['record'])
    expect(await all(new RecordFile(path, { of: 'this' }).read())).to.deep.equal([{ d: 4 }, { e: 5 }])
  })

  it('names the file that it could not write, even if cleanup fails', async () => {
    const file = await written()
    const { ftruncateSync, writeSync } = nodefs
    const failing = (): never => { throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }) }

    try {
      nodefs.ftruncateSync = failing
      await expect(file.add([{ d: 4 }])).to.eventually.be.rejected.with.include({ code: 'ENOSPC', path })
      nodefs.ftruncateSync = ftruncateSync
      nodefs.writeSync = failing
      await expect(file.add([{ d: 4 }])).to.eventually.be.rejected.with.include({ code: 'ENOSPC', path })
      await expect(file.replace([])).to.eventually.be.rejected.with.include({ code: 'ENOSPC' }).and.with.property('path').that.satisfies((named: string) => named.startsWith(path))
      nodefs.writeSync = () => {
        nodefs.rmSync(directory, { recursive: true })

        return failing()
      }
      await expect(file.replace([])).to.eventually.be.rejected.with.include({ code: 'ENOSPC' })
    } finally {
      Object.assign(nodefs, { ftruncateSync, writeSync })
    }
  })

  /** Lines that each take longer to make than the event loop is to wait. */
  function * slowly (lines: readonly object[]): Generator<object> {
    for (const line of lines) {
      const began = performance.now()

      while (performance.now() < began + 15) {
        // what takes so long is of no matter
      }

      yield line
    }
  }

  it('yields to the event loop between lines, and aborts there', async () => {
    const file = await written()
    const many = Array.from({ length: 12 }, (_, n) => ({ n }))

    await expect(file.add(slowly(many), { signal: abortedInTurn(8) })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
    const some = await all(new RecordFile(path, { of: 'this' }).read())
    expect(some).to.have.lengthOf.within(4, 14)
    expect([...three, ...many].slice(0, some.length)).to.deep.equal(some)

    await expect(file.replace(slowly(many), { signal: abortedInTurn(8) })).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
    expect(await all(new RecordFile(path, { of: 'this' }).read())).to.deep.equal(some)
    expect(nodefs.readdirSync(directory)).to.deep.equal(['record'])

    await file.add([{ d: 4 }])
    expect(await all(new RecordFile(path, { of: 'this' }).read())).to.deep.equal([...three, { d: 4 }])
  })

  it('is one complete record when two writers write at once', async () => {
    const [ones, others] = [[{ one: 1 }, { one: 2 }, { one: 3 }], [{ other: 1 }, { other: 2 }]]
    const [one, other] = [new RecordFile(path, { of: 'this' }), new RecordFile(path, { of: 'this' })]
    await Promise.all([one.replace(slowly(ones)), other.replace(slowly(others))])

    expect([ones, others]).to.deep.include(await all(new RecordFile(path, { of: 'this' }).read()))
    expect(nodefs.readdirSync(directory)).to.deep.equal(['record'])

    await Promise.all([one.add(slowly(ones)), other.add(slowly(others))])
    const read = await all(new RecordFile(path, { of: 'this' }).read())
    const both = [[...ones, ...ones], [...ones, ...others], [...others, ...ones], [...others, ...others]]
    expect(both.map(lines => lines.slice(0, read.length))).to.deep.include(read)
  })

  it('fails if the file cannot be read, rather than reading as empty', async () => {
    await written()
    const { readFileSync } = nodefs
    Object.assign(nodefs, { readFileSync: () => { throw Object.assign(new Error('EIO'), { code: 'EIO' }) } })

    try {
      await expect(all(new RecordFile(path, {}).read())).to.eventually.be.rejected.with.include({ code: 'EIO' })
    } finally {
      Object.assign(nodefs, { readFileSync })
    }
  })

  const others: Array<[what: string, make: () => void]> = [
    ['a directory', () => { nodefs.mkdirSync(path) }],
    ['a pipe, without waiting', () => { execFileSync('mkfifo', [path]) }],
    ['a link to a pipe', () => {
      execFileSync('mkfifo', [join(directory, 'pipe')])
      nodefs.symlinkSync('pipe', path)
    }],
    ['a link to itself', () => { nodefs.symlinkSync('record', path) }]
  ]

  others.forEach(([what, make]) => {
    it(`refuses ${what}`, () => {
      make()

      expect(() => new RecordFile(path, {})).to.throw().with.include({ name: 'InvalidOptionError', option: 'record', path })
    })
  })

  it('follows links and keeps them, whether or not the file exists', async () => {
    nodefs.mkdirSync(join(directory, 'real/deep'), { recursive: true })
    nodefs.symlinkSync('real/deep', join(directory, 'way'))
    nodefs.symlinkSync('../other', join(directory, 'real/deep/record'))
    nodefs.symlinkSync('way/record', path)

    for (const write of [async () => written(), async () => new RecordFile(path, { of: 'this' }).replace(three)]) {
      await write()

      expect([path, join(directory, 'real/deep/record')].map(link => nodefs.lstatSync(link).isSymbolicLink())).to.deep.equal([true, true])
      expect(nodefs.readdirSync(join(directory, 'real')).sort()).to.deep.equal(['deep', 'other'])
      expect(await all(new RecordFile(path, { of: 'this' }).read())).to.deep.equal(three)
    }
  })

  it('deletes temporary files of killed writers, and nothing else', async () => {
    const uuid = '01234567-89ab-4cde-8f01-23456789abcd'
    const old = [`record.${uuid}.tmp`, `other.${uuid}.tmp`, 'record.tmp', `record.${uuid}.tmp.old`]
    const left = [...old, `record.${uuid.replace('0', 'f')}.tmp`]

    for (const name of left) {
      nodefs.writeFileSync(join(directory, name), '')
    }

    for (const name of old) {
      nodefs.utimesSync(join(directory, name), 1, 1)
    }

    await written()
    expect(nodefs.readdirSync(directory).sort()).to.deep.equal(['record', ...left.slice(1)].sort())
  })
})
