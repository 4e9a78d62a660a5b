/** Work on one page, one piece at a time. */
export interface Turns {
  /** Looks at the page, at once or after what is under way. */
  look: () => Promise<void>
  /** Does other work, unless something is under way. */
  run: (work: () => Promise<unknown>) => Promise<void>
}

/** Returns the turns of a page. Events during a look cause one more, until `lookOnce` returns false. */
export function createTurns(lookOnce: () => Promise<boolean>, isValid: () => boolean): Turns {
  let busy = false
  let again = false
  let over = false
  const look = async () => {
    again = true
    if (busy || over) return
    busy = true
    while (again && !over && isValid()) {
      again = false
      over = !(await lookOnce())
    }
    busy = false
  }
  return {
    look,
    async run(work) {
      if (busy) return
      busy = true
      await work()
      busy = false
      if (again) await look()
    },
  }
}
