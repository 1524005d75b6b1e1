import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { commandOf, describeMade, resumingCommand } from '../src/harness/made.ts'

describe('how a report came to be', () => {
  it('is a command that gives it again, without where it went and where things lie on the machine', () => {
    assert.equal(commandOf([]), 'npm start')
    assert.equal(commandOf(['all']), 'npm start -- all')
    assert.equal(commandOf(['all'], { MIN_TIME: '0', TEST_PATH: '/home/me/x', HOME: '/home/me' }), 'MIN_TIME=0 TEST_PATH=DIR npm start -- all')
    assert.equal(commandOf(['edits', '--iterations', '3', '--json', 'x.json', '--resume=y']), 'npm start -- edits --iterations 3')
    assert.equal(commandOf(['--test-path', '/home/me/x', '--unique', '--min-time=0']), 'npm start -- --test-path DIR --unique --min-time 0')
  })

  it('is resumed by the command that was given, flags, places and variables included', () => {
    assert.equal(resumingCommand(['all'], {}, 'report/measured.jsonl'), 'npm start -- all --resume report/measured.jsonl')
    assert.equal(
      resumingCommand(['all', '--cases=edits,codec', '--report', '/tmp/my report', '--resume', 'other'], { ITERATIONS: '3', TEST_PATH: '/home/me/x' }, 'm.jsonl'),
      "ITERATIONS=3 TEST_PATH=/home/me/x npm start -- all --cases edits,codec --report '/tmp/my report' --resume m.jsonl"
    )
  })

  it('is of a commit', async () => {
    assert.match((await describeMade([], {})).commit ?? '', /^[0-9a-f]{12}\+?$/)
  })
})
