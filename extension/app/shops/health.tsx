import type { PlatformHealth } from '#extension/messaging/overview.ts'
import type { Platform } from '#shared/contract/connections.ts'
import { agoText, inText } from '../common/format.ts'
import { text } from './room-words.ts'

/** The state of a platform or of one of its shops. */
type ShownHealth = Pick<PlatformHealth, 'name' | 'connection' | 'health' | 'seen_at' | 'failing' | 'reading_off'>

/**
 * A dot for a shop's health: filled is connected, half is an old sighting, hollow is not connected, "!" fails
 * or needs the seller. Words beside it say the same.
 */
export function HealthDot({ health, age }: { health: PlatformHealth['health']; age: number | null }) {
  return (
    <span class={`dot ${age === null ? health : 'old'}`} aria-hidden="true">
      {marks[health]}
    </span>
  )
}

const marks: Record<PlatformHealth['health'], string> = {
  ok: '',
  idle: '',
  none: '',
  failing: '!',
  needs_you: '!',
  unknown: '?',
}

/** Says how soon a sale in a shop would be seen; null where that is not known, or of an earlier time. */
export function sightText(
  { health, answer }: { health: PlatformHealth['health']; answer: Pick<Platform, 'sale_sight'> | null },
  age: number | null,
): string | null {
  const sight = answer?.sale_sight
  return sight && age === null && health !== 'none' && health !== 'unknown' ? text(`shop.sight.${sight.speed}`) : null
}

/** Says the state of a shop. `age`: when it was last seen, if that is long ago. */
export function healthText(shop: ShownHealth, age: number | null): string {
  const { health, connection, name, seen_at, failing, reading_off } = shop
  if (reading_off) return text('shop.reading_off')
  if (age !== null) {
    return text(connection === 'oauth' ? 'shop.unasked' : 'shop.old', { when: agoText(age, Date.now(), true) })
  }
  switch (health) {
    case 'ok':
      return text('shop.works', { when: agoText(seen_at ?? Date.now()) })
    case 'idle':
      return text('shop.idle')
    case 'failing': {
      const next = failing?.next_try_at
      const trouble = text(`shop.failing.${failing?.what ?? 'orders'}`, { platform: name })
      return `${trouble} ${next && next > Date.now() ? text('shop.retry_at', { when: inText(next) }) : text('shop.retrying')}`
    }
    case 'needs_you':
      return text(connection === 'oauth' ? 'shop.reconnect_needed' : 'shop.signed_out', { platform: name })
    case 'none':
      return text(connection === 'oauth' ? 'shop.not_connected' : 'shop.not_seen')
    case 'unknown':
      return text('shop.unknown')
  }
}
