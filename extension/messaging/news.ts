/** Name of the port for live changes. */
export const livePort = 'news'

/** Tells a page whether the server pushes changes, what to read again, and how far the import of a file is. */
export interface News {
  live: boolean
  overview: boolean
  inventory: boolean
  /** Rows of the file that are done. */
  file_rows?: number
}

export const News = {
  /** Parses a message of the worker. Only `true` counts as true. */
  parse(message: unknown): News {
    const { live, overview, inventory, file_rows } = Object(message) as Partial<News>
    return {
      ...{ live: live === true, overview: overview === true, inventory: inventory === true },
      ...(typeof file_rows === 'number' && { file_rows }),
    }
  },
}
