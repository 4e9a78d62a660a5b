/** Name of the port for live changes. */
export const livePort = 'news'

/** Tells a page whether the server pushes changes, and what to read again. */
export interface News {
  live: boolean
  overview: boolean
  inventory: boolean
}

export const News = {
  /** Parses a message of the worker. Only `true` counts as true. */
  parse(message: unknown): News {
    const { live, overview, inventory } = Object(message) as Partial<News>
    return { live: live === true, overview: overview === true, inventory: inventory === true }
  },
}
