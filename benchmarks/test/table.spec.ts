import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { printTable } from '../src/cases/add-dir/print-table.ts'
import { measuredRow } from './rows.ts'

const few = measuredRow({ contender: 'dagfs-mem', cid: 'bafyA' })
const many = measuredRow({ contender: 'dagfs-mem', cid: 'bafyA', rawMs: Array.from({ length: 100 }, (_, index) => index + 1) })

describe('the table', () => {
  it('has the columns and figures of a row', () => {
    const [, header, , row] = printTable([many]).split('\n').map(line => line.split(/[║│]/).map(cell => cell.trim()).slice(1, -1))

    assert.deepEqual(header, ['Implementation', 'phase', 'ops/s', 'ms/op', 'runs', 'p99', 'CID'])
    assert.deepEqual(row, ['dagfs-mem - src', 'cold', '19.80', '50.50', '100', '99.01', 'bafyA'])
  })

  it('marks a p99 of fewer than 100 runs', () => {
    assert.match(printTable([few]), /2\.98\*/)
    assert.doesNotMatch(printTable([many]), /\*/)
  })

  it('gives the reason for an empty row', () => {
    const text = printTable([{ ...few, status: 'unavailable', opsPerSec: null, msPerOp: null, p99: null, cid: null, reason: 'there is no Kubo' }])

    assert.match(text, /unavailable/)
    assert.match(text, /dagfs-mem - src: there is no Kubo/)
  })
})
