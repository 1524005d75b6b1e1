import { tmpdir } from 'node:os'
import { execa } from 'execa'
import { describeError } from '../../harness/describe-error.ts'
import { unmeasured } from '../../harness/figures.ts'
import type { HeadersOptions } from './options.ts'
import type { HeadersRow } from './report.ts'

const MODULE = 'github.com/qri-io/wnfs-go'
const TIMEOUT_MS = 30_000

/**
 * What the document measured, in rows that say why it is not measured here. Go is
 * asked for its module anew each time.
 */
export async function wnfsGoRows ({ operations, sizes, stores }: HeadersOptions): Promise<HeadersRow[]> {
  const reason = await askForModule()

  return stores.flatMap(store => sizes.flatMap(fileBytes => operations.map((operation): HeadersRow => ({
    case: 'headers',
    contender: 'wnfs-go',
    layout: 'dag-pb, and dag-cbor with and without inlined metadata',
    version: null,
    operation,
    fileBytes,
    store,
    operations: 0,
    ...unmeasured,
    counted: null,
    status: 'unavailable',
    reason
  }))))
}

async function askForModule (): Promise<string> {
  return sayAnswer(await execa('go', ['list', '-m', `${MODULE}@latest`], {
    // outside of any module, so that none of its versions counts
    cwd: tmpdir(),
    env: { GO111MODULE: 'on', GOFLAGS: '-mod=mod' },
    reject: false,
    timeout: TIMEOUT_MS
  }))
}

/**
 * What `go list` came to
 */
export interface GoAnswer {
  readonly failed: boolean
  /**
   * Why the command could not be started, as the system calls it
   */
  readonly code?: string
  readonly stdout?: string
  readonly stderr?: string
  readonly message?: string
}

/**
 * Says why wnfs-go is not measured: that its module cannot be had is said only
 * where somebody was asked for it who would know.
 */
export function sayAnswer ({ failed, code, stdout, stderr, message }: GoAnswer): string {
  if (!failed) {
    return `its Go module can be had (${stdout}), but the commits that the document compares are in no release of it`
  }

  if (code === 'ENOENT') {
    return 'Go is not installed here, so that its Go module was not asked for'
  }

  const answer = describeError([stderr, message].find(text => text != null && text !== ''))

  return `${REFUSED.test(answer) ? `its Go module cannot be had${BY_PROXY.test(answer) ? ', since the Go module proxy refused it' : ''}` : 'whether its Go module can be had was not to be learnt'}; go list -m ${MODULE}@latest answers: ${withoutPlace(answer)}`
}

/**
 * What a server that knows modules says of one that it does not have or give
 */
const REFUSED = /: (?:403|404|410) |repository not found/i
/**
 * A status of HTTP is the answer of a proxy; repositories are asked by git
 */
const BY_PROXY = /: (?:403|404|410) /

/**
 * An answer without the address that was asked, which is a matter of the machine.
 */
export function withoutPlace (answer: string): string {
  return answer.replaceAll(/\s*\breading https?:\/\/[^\s]+?:(?=\s)/g, '')
}
