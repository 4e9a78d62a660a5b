/** Name of the line on which the worker tells an open page of changes. */
export const livePort = 'news'

/** What the worker tells an open page: whether the server tells of changes by itself, and what is to be read again. */
export interface News {
  live: boolean
  overview: boolean
  inventory: boolean
}

export const News = {
  /** Only the worker speaks on this line; anything else than true is false. */
  parse(message: unknown): News {
    const { live, overview, inventory } = Object(message) as Partial<News>
    return { live: live === true, overview: overview === true, inventory: inventory === true }
  },
}
