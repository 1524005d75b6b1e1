/** Every handle that was opened. Their class is loaded when the first one is, so nobody else may name it. */
export const fileHandles = new WeakSet<object>()
