import { useEffect, useState } from 'preact/hooks'

/** Where the seller is in the full page; kept in the address, so that back, reload and links work. */
export type Place =
  | { screen: 'stock' }
  | { screen: 'tasks' }
  | { screen: 'item'; uid: string }
  | { screen: 'imports'; job: string | null; status: string | null }
  | { screen: 'conflict'; job: string; item: string }

/** The place that an address's fragment names; an unknown one is the table. */
export function placeOf(hash: string): Place {
  const [screen, one, two] = hash.replace(/^#/, '').split('/')
  if (screen === 'tasks') return { screen }
  if (screen === 'item' && one) return { screen, uid: one }
  if (screen === 'imports') return { screen, job: one || null, status: two ?? null }
  if (screen === 'conflict' && one && two) return { screen, job: one, item: two }
  return { screen: 'stock' }
}

export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const listen = () => setHash(location.hash)
    addEventListener('hashchange', listen)
    return () => removeEventListener('hashchange', listen)
  }, [])
  return placeOf(hash)
}
