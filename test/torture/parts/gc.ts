import fc from 'fast-check'
import { interleaving, runInterleaving } from '../../fs/gc/interleavings.ts'
import { independent } from '../part.ts'
import { tryProperty } from '../property-case.ts'
import type { Part } from '../part.ts'

const property = fc.asyncProperty(interleaving, runInterleaving)

export const gc: Part = {
  claim: 'garbage collection keeps what names, snapshots, pins, drafts and views reach, and frees all else',
  unit: 'sequences',
  full: 100_000,
  daily: 20,
  open: independent(async given => tryProperty(property, given))
}
