const messages = {
  EEXIST: 'file already exists',
  EINVAL: 'invalid argument',
  EISDIR: 'illegal operation on a directory',
  ELOOP: 'too many symbolic links encountered',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty'
}

export type Code = keyof typeof messages

/** An error as Node.js would make it. */
export function fault (code: Code, syscall: string, path?: string, dest?: string): Error {
  const places = `${path === undefined ? '' : ` '${path}'`}${dest === undefined ? '' : ` -> '${dest}'`}`

  return Object.assign(new Error(`${code}: ${messages[code]}, ${syscall}${places}`), {
    code,
    syscall,
    ...(path === undefined ? {} : { path }),
    ...(dest === undefined ? {} : { dest })
  })
}

/** That of `rm` for a directory, which Node.js makes by itself */
export function removalOfDirectory (path: string): Error {
  return Object.assign(new Error(`Path is a directory: rm returned EISDIR (is a directory) ${path}`), { code: 'ERR_FS_EISDIR', syscall: 'rm', path })
}
