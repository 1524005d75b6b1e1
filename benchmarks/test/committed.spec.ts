import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { readCommitted } from '../src/report/committed.ts'
import { askGit, repositoryRoot } from '../src/tools/repository.ts'
import type { Comparison } from '../src/gate/study.ts'

const STUDY = new URL('../../gate/study.jsonl', import.meta.url)

describe('committed reports', () => {
  it('were measured on ancestors of this commit', async () => {
    const measured = [...await commitsOfReports(), ...await commitsOfStudy()]

    assert.ok(measured.length > 0)

    for (const { what, commit } of measured) {
      assert.notEqual(await askGit(repositoryRoot, 'merge-base', '--is-ancestor', commit, 'HEAD'), undefined, `${what} is of ${commit}, which is not in the history`)
    }
  })
})

interface Measured {
  readonly what: string
  readonly commit: string
}

async function commitsOfReports (): Promise<Measured[]> {
  return (await readCommitted()).map(({ case: name, made }) => ({ what: name, commit: String(made?.commit) }))
}

async function commitsOfStudy (): Promise<Measured[]> {
  const [, ...lines] = (await readFile(STUDY, 'utf8')).split('\n').filter(line => line !== '')

  return lines.map(line => {
    const { result }: { result: Comparison } = JSON.parse(line)

    return { what: `a comparison of ${result.question}`, commit: String(result.commit) }
  })
}
