import { expect } from 'aegir/chai'
import { inTemporary } from '../../pack/in-temporary.ts'
import { withStore } from '../../pack/stores.ts'
import { isSameValue, names, readPublished } from './published.ts'
import type { Model } from './model.ts'
import type { Name } from './published.ts'
import type { InternalOptions } from '../../../src/pack/options.ts'
import type { FaultyFiles } from '../../pack/faulty-files.ts'

/** What the disk has where the power fails now, and what each name may stand for then. */
export class PowerCut {
  readonly #files: FaultyFiles
  readonly #values: ReadonlyMap<Name, ReadonlyArray<Uint8Array | undefined>>

  constructor (files: FaultyFiles, { published, attempts }: Model, next: () => number) {
    this.#files = files.afterPowerCut(next)
    this.#values = new Map(names.map(name => [name, [published.get(name)?.value, ...attempts.get(name) ?? []]]))
  }

  /** Opens what is left, without an index. */
  async check (from: string, options: InternalOptions): Promise<void> {
    await inTemporary(async directory => withStore(directory, { ...options, files: this.#files.movedTo(from, directory) }, async store => {
      for (const [name, values] of this.#values) {
        const found = await store.roots.get(name)
        expect(values.some(value => isSameValue(value, found)), `${name} after a power cut`).to.equal(true)
        await readPublished(store, name)
      }

      expect((await store.verify()).problems).to.deep.equal([])
    }))
  }
}
