import { ADD_DIR } from './add-dir/case.ts'
import { CODEC } from './codec/case.ts'
import { EDITS } from './edits/case.ts'
import { GROWTH } from './growth/case.ts'
import { HEADERS } from './headers/case.ts'
import { LARGE_FILE } from './large-file/case.ts'
import { LAYERS } from './layers/case.ts'
import { REIMPORT } from './reimport/case.ts'
import { STORE } from './store/case.ts'
import type { Case } from './case.ts'

/**
 * All cases, in the order in which they run and are shown
 */
export const cases: readonly Case[] = [ADD_DIR, GROWTH, REIMPORT, LARGE_FILE, EDITS, HEADERS, CODEC, LAYERS, STORE]

/**
 * What runs where no case is named
 */
export const defaultCase = ADD_DIR
