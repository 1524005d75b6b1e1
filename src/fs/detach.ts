/** Leads from what a method is called on to the filesystem: also through an object that inherits from it, or a proxy */
const instance = Symbol('dagfs')

interface Detachable {
  readonly [instance]?: object
}

/** Lets the functions of a filesystem be called wherever they are, once those of its class are detached. */
export function setInstance (fs: object): void {
  Object.defineProperty(fs, instance, { value: fs })
}

/**
 * Makes the methods of a class work without `this`, on what inherits from an instance, and through a proxy, as the functions of
 * `node:fs/promises` do. Each is bound when it is first asked for: there are many, and few are used.
 */
export function detachMethods (prototype: object): void {
  const names = new Set<PropertyKey>(['constructor'])

  // what a class has, and what it inherits; the nearest counts
  for (let from = prototype; from !== Object.prototype; from = Object.getPrototypeOf(from)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
      if (typeof value === 'function' && !names.has(name)) {
        detach(prototype, name, value)
      }

      names.add(name)
    }
  }
}

function detach (prototype: object, name: PropertyKey, method: (this: object) => unknown): void {
  const set = (fs: object, value: unknown): void => {
    Object.defineProperty(fs, name, { value, configurable: true, writable: true })
  }

  Object.defineProperty(prototype, name, {
    configurable: true,
    get (this: Detachable) {
      const fs = this[instance]

      if (fs === undefined) {
        return method
      }

      const bound = method.bind(fs)

      if (Object.isExtensible(fs)) {
        set(fs, bound)
      }

      return bound
    },
    // as a method can be replaced
    set (this: object, value: unknown) {
      set(this, value)
    }
  })
}
