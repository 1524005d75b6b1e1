import { expect } from 'aegir/chai'
import { compileGlob } from '../../src/glob/index.ts'

const names = ['a'.repeat(250), 'ab'.repeat(125), '('.repeat(200), '['.repeat(200), Array(1_000).fill('a').join('/')]

const refused = {
  braces: '{a,b}'.repeat(20),
  'nested braces': '{{{{a,b},c},d},e}'.repeat(12),
  'a range': '{1..1000000000}',
  'a range of large numbers': `{-${'9'.repeat(400)}..${'9'.repeat(400)}}`,
  'ranges of one': '{1..1}'.repeat(10_000),
  'groups without commas': `${'{a},'.repeat(16_000)}}`,
  'many asterisks': `${'*a'.repeat(30_000)}b`,
  'many characters': 'a'.repeat(70_000),
  'many negations': '!(a)'.repeat(20),
  'deep groups': '*('.repeat(20_000),
  'many groups': '*(a)'.repeat(4_000),
  'parents of any directory': '**/../a/b/'.repeat(20)
}

const matched = {
  asterisks: `${'*a'.repeat(20)}b`,
  'a repeated group': '+(a|aa)b',
  'nested groups': '*(*(*(a)))b',
  'deep groups that begin alike': `${'*(*(a|b)c|'.repeat(30)}${')'.repeat(30)}b`,
  'any directories': `${'**/a/'.repeat(13_000)}b`,
  'nothing but any directories': `${'**/'.repeat(20_000)}b`,
  classes: '[a-z]'.repeat(3_000),
  'open brackets': '['.repeat(8_000),
  'open braces': '{'.repeat(60_000),
  negations: `${'!(a)'.repeat(5)}b`,
  'groups that may be empty': `${'?(a)'.repeat(1_000)}b`,
  'groups of anything': `${'+(?|??)'.repeat(300)}b`
}

// some 60 ms at most on the machine of these figures; a browser that is busy with other tests may take longer
const mostMs = 2_000

describe('hostile patterns', () => {
  Object.entries(refused).forEach(([name, pattern]) => {
    it(`are refused at once: ${name}`, () => {
      const begin = performance.now()

      expect(() => compileGlob(pattern, { option: 'patterns' })).to.throw().with.property('name', 'InvalidOptionError')
      expect(performance.now() - begin).to.be.below(mostMs)
    })
  })

  Object.entries(matched).forEach(([name, pattern]) => {
    it(`finish in bounded time: ${name}`, () => {
      const begin = performance.now()
      const test = compileGlob(pattern, { option: 'patterns' })
      names.forEach(test)

      expect(performance.now() - begin).to.be.below(mostMs)
    })
  })

  it('are named in the error, shortened', () => {
    expect(() => compileGlob('{1..99999}', { option: 'options.exclude' })).to.throw().that.includes({ code: 'ERR_INVALID_OPTION', option: 'options.exclude' })
      .with.property('message').that.includes('"{1..99999}"')
    expect(() => compileGlob('{a,b}'.repeat(1_000), { option: 'patterns' })).to.throw().with.property('message').that.has.length.below(300)
  })
})
