import { FileSystemError } from '../errors.ts'
import { detachMethods } from './detach.ts'
import { View } from './view.ts'

/** What edits, and the system call that Node's error would name, by how many paths it takes. */
const refused = {
  none: {
    addAll: 'add',
    checkout: 'checkout',
    commit: 'commit',
    merge: 'merge',
    snapshot: 'snapshot'
  },
  one: {
    appendFile: 'open',
    chmod: 'chmod',
    chown: 'chown',
    lchmod: 'lchmod',
    lchown: 'lchown',
    lutimes: 'lutime',
    mkdir: 'mkdir',
    mkdtemp: 'mkdtemp',
    mkdtempDisposable: 'mkdtemp',
    rm: 'rm',
    rmdir: 'rmdir',
    truncate: 'open',
    unlink: 'unlink',
    utimes: 'utime',
    writeFile: 'open'
  },
  two: {
    copyFile: 'copyfile',
    cp: 'cp',
    link: 'link',
    rename: 'rename',
    symlink: 'symlink'
  }
} as const

/**
 * A tree that cannot be edited. What edits is there nevertheless and fails with EROFS, so that a tool that tries to is told
 * what is wrong.
 */
export class ReadonlyView extends View {
  static {
    for (const [name, syscall] of Object.entries(refused.none)) {
      define(this.prototype, name, () => new FileSystemError('EROFS', syscall))
    }

    for (const [name, syscall] of Object.entries(refused.one)) {
      define(this.prototype, name, path => new FileSystemError('EROFS', syscall, String(path)))
    }

    for (const [name, syscall] of Object.entries(refused.two)) {
      define(this.prototype, name, (from, to) => new FileSystemError('EROFS', syscall, String(from), undefined, String(to)))
    }

    detachMethods(this.prototype)
  }
}

function define (prototype: object, name: string, refuse: (...args: unknown[]) => FileSystemError): void {
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    async value (...args: unknown[]) {
      throw refuse(...args)
    }
  })
}
