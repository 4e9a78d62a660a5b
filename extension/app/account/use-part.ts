import { useLayoutEffect, useState } from 'preact/hooks'
import { appPlaces } from '#shared/app-places.ts'

/** The screens of the account in the order of its navigation. */
export const accountParts = ['general', 'notifications', 'security', 'api', 'data'] as const

/** A screen of the account, or the part of the general one that an errand is about. */
export type Part = (typeof accountParts)[number] | 'address' | 'subscription'
const parts: readonly Part[] = [...accountParts, 'address', 'subscription']

/** Returns the part that the URL fragment names, and whether the seller comes from paying. */
export function usePart(): { part: Part; hasPaid: boolean } {
  const [fragment, setFragment] = useState(location.hash)
  useLayoutEffect(() => {
    const listen = () => setFragment(location.hash)
    addEventListener('hashchange', listen)
    return () => removeEventListener('hashchange', listen)
  }, [])
  const [name, then] = fragment.slice(appPlaces.account.length + 1).split('/')
  const part = parts.find((one) => one === name) ?? 'general'
  return { part, hasPaid: part === 'subscription' && then === 'paid' }
}
