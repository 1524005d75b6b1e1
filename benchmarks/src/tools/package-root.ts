/**
 * The directory of this workspace, seen from `dist/src/tools`
 */
export const packageRoot = new URL('../../../', import.meta.url)
