/** Told of what cannot be walked; throws, or returns to leave it out. */
export type Refuse = (error: unknown, hostPath: string) => void
