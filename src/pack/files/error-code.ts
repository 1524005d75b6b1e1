export function isErrorCode (err: unknown, code: string): boolean {
  return err instanceof Error && 'code' in err && err.code === code
}

/** Whether a disk, or what one may use of it, is full */
export function isDiskFull (err: unknown): boolean {
  return isErrorCode(err, 'ENOSPC') || isErrorCode(err, 'EDQUOT')
}
