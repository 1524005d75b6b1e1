/**
 * What the plain model has as well: paths, whole files and links.
 */
export interface PathFs {
  mkdir(path: string, options: { recursive: boolean }): Promise<string | undefined>
  writeFile(path: string, data: string, options: { flag: string }): Promise<void>
  appendFile(path: string, data: string): Promise<void>
  readFile(path: string, encoding: 'utf8'): Promise<string>
  truncate(path: string, length: number): Promise<void>
  rename(from: string, to: string): Promise<void>
  rm(path: string, options: { recursive: boolean, force: boolean }): Promise<void>
  rmdir(path: string): Promise<void>
  unlink(path: string): Promise<void>
  copyFile(from: string, to: string, mode: number): Promise<void>
  symlink(target: string, path: string): Promise<void>
  readlink(path: string): Promise<string>
  realpath(path: string): Promise<string>
  stat(path: string): Promise<Facts>
  lstat(path: string): Promise<Facts>
  readdir(path: string): Promise<string[]>
  readdir(path: string, options: { recursive: boolean, withFileTypes: true }): Promise<Entry[]>
}

/**
 * The part of `node:fs/promises` that is compared: Node's own and every dagfs has it.
 */
export interface FsPromises extends PathFs {
  cp(from: string, to: string, options: { recursive: boolean, force: boolean, errorOnExist: boolean, verbatimSymlinks: boolean }): Promise<void>
  access(path: string, mode: number): Promise<void>
  stat(path: string): Promise<Stat>
  lstat(path: string): Promise<Stat>
  chmod(path: string, mode: number): Promise<void>
  utimes(path: string, atime: number, mtime: number): Promise<void>
  lutimes(path: string, atime: number, mtime: number): Promise<void>
  open(path: string, flags: string): Promise<Handle>
}

/** What tells one kind of entry from another. */
export interface Kind {
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

export interface Entry extends Kind {
  readonly name: string
  readonly parentPath: string
}

export interface Facts extends Kind {
  readonly size: number
}

export interface Stat extends Facts {
  readonly mode: number
  readonly mtimeMs: number
}

export interface Handle {
  read(buffer: Uint8Array, offset: number, length: number, position: number | null): Promise<{ bytesRead: number, buffer: Uint8Array }>
  write(buffer: Uint8Array, offset: number, length: number, position: number | null): Promise<{ bytesWritten: number }>
  readFile(encoding: 'utf8'): Promise<string>
  writeFile(data: string): Promise<void>
  appendFile(data: string): Promise<void>
  truncate(length: number): Promise<void>
  stat(): Promise<Stat>
  chmod(mode: number): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}
