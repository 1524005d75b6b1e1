import type { DatabaseSync, StatementSync } from 'node:sqlite'

type Value = null | number | bigint | string | Uint8Array

// a statement costs about as much as two rows
const rowsAtOnce = 16

/**
 * Rows on their way into a table, where those of the same key give way: several go with each statement.
 */
export class RowBatch {
  readonly #prepare: (rows: number) => StatementSync
  readonly #many: StatementSync
  readonly #columns: number
  #values: Value[] = []

  constructor (database: DatabaseSync, table: string, columns: number) {
    const row = `(${Array(columns).fill('?').join(', ')})`
    this.#prepare = rows => database.prepare(`INSERT OR REPLACE INTO ${table} VALUES ${Array(rows).fill(row).join(', ')}`)
    this.#many = this.#prepare(rowsAtOnce)
    this.#columns = columns
  }

  add (...row: Value[]): void {
    this.#values.push(...row)

    if (this.#values.length === rowsAtOnce * this.#columns) {
      this.#many.run(...this.#values)
      this.#values = []
    }
  }

  /** Writes the rows that still wait for others. */
  finish (): void {
    if (this.#values.length > 0) {
      this.#prepare(this.#values.length / this.#columns).run(...this.#values)
      this.#values = []
    }
  }
}
