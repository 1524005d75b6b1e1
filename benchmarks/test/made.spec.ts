import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { commandOf, describeMade, resumingCommand } from '../src/harness/made.ts'

describe('the origin of a report', () => {
  it('is a command that reproduces it, without output and machine paths', () => {
    assert.equal(commandOf([]), 'npm start')
    assert.equal(commandOf(['all']), 'npm start -- all')
    assert.equal(commandOf(['all'], { MIN_TIME: '0', TEST_PATH: '/home/me/x', HOME: '/home/me' }), 'MIN_TIME=0 TEST_PATH=DIR npm start -- all')
    assert.equal(commandOf(['edits', '--iterations', '3', '--json', 'x.json', '--resume=y']), 'npm start -- edits --iterations 3')
    assert.equal(commandOf(['--test-path', '/home/me/x', '--unique', '--min-time=0']), 'npm start -- --test-path DIR --unique --min-time 0')
  })

  it('includes the command to resume, with flags, paths and variables', () => {
    assert.equal(resumingCommand(['all'], {}, 'report/measured.jsonl'), 'npm start -- all --resume report/measured.jsonl')
    assert.equal(
      resumingCommand(['all', '--cases=edits,codec', '--report', '/tmp/my report', '--resume', 'other'], { ITERATIONS: '3', TEST_PATH: '/home/me/x' }, 'm.jsonl'),
      "ITERATIONS=3 TEST_PATH=/home/me/x npm start -- all --cases edits,codec --report '/tmp/my report' --resume m.jsonl"
    )
  })

  it('includes a commit', async () => {
    assert.match((await describeMade([], {})).commit ?? '', /^[0-9a-f]{12}\+?$/)
  })
})
