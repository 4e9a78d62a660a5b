import { useEffect, useState } from 'preact/hooks'
import { appPlaces } from '#shared/app-places.ts'

/** A part of the account screen that links lead to. */
export type Part = 'address' | 'security' | 'subscription'
const parts: readonly Part[] = ['address', 'security', 'subscription']

/** Returns the part that the URL fragment names, null for the whole screen; and whether the seller comes from paying. */
export function usePart(): { part: Part | null; hasPaid: boolean } {
  const [fragment, setFragment] = useState(location.hash)
  useEffect(() => {
    const listen = () => setFragment(location.hash)
    addEventListener('hashchange', listen)
    return () => removeEventListener('hashchange', listen)
  }, [])
  const hasPaid = fragment === `${appPlaces.subscription}/paid`
  return { part: hasPaid ? 'subscription' : (parts.find((one) => fragment === appPlaces[one]) ?? null), hasPaid }
}
