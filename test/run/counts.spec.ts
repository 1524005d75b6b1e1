import { expect } from 'aegir/chai'
import { addCounts, formatCounts, mochaCounts, mochaFailures } from './counts.ts'

describe('the counts of a test run', () => {
  it('are read from the closing lines, not from output of tests', () => {
    const output = '12 passing\n  ✔ knows 5 failing disks\n\n  340 passing (2m)\n  2 pending\n  1 failing\n\n  1) a test\n'

    expect(mochaCounts(output)).to.deep.equal({ passed: 340, failed: 1, skipped: 2 })
  })

  it('are undefined if the runner did not finish', () => {
    expect(mochaCounts('  ✔ a test\nSegmentation fault\n')).to.equal(undefined)
  })

  it('are followed by the report of failed tests', () => {
    const failures = ['  2 failing', '', '  1) a test', '       Error: it is not so', '', '  2) another test']

    expect(mochaFailures(['  5 failing disks', '  3 passing (2m)', ...failures, ''].join('\n'))).to.deep.equal(failures)
    expect(mochaFailures('  3 passing (2m)\n')).to.deep.equal([])
    expect(mochaFailures('  3 passing (2m)\n  0 failing\n')).to.deep.equal([])
  })

  it('are printed in one line that names skipped tests', () => {
    const counts = addCounts({ passed: 1, failed: 2, skipped: 0 }, { passed: 10, failed: 0, skipped: 0 })

    expect(formatCounts(counts)).to.equal('11 passed, 2 failed')
    expect(formatCounts({ ...counts, skipped: 3 })).to.equal('11 passed, 2 failed, 3 skipped')
  })
})
