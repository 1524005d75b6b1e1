/**
 * Tells what is being done, in one line
 */
export type Progress = (line: string) => void
