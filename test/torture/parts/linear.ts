import { linearizability } from '../../models/linear/history.ts'
import { independent } from '../part.ts'
import { tryProperty } from '../property-case.ts'
import type { Part } from '../part.ts'

export const linear: Part = {
  claim: 'concurrent calls by path and by handle have the results of a sequential order',
  unit: 'histories',
  full: 100_000,
  daily: 500,
  open: independent(async given => tryProperty(linearizability, given))
}
