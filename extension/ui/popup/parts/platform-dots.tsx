import { text } from '#extension/i18n/text.ts'
import type { Overview, PlatformHealth } from '#extension/messaging/overview.ts'
import { platformLetters } from '#extension/ui/components/platform-chips.tsx'
import { ageText, agoText } from '#extension/ui/format.ts'
import { ageOf } from '../age-of.ts'

/**
 * Health of each platform as a dot and in words: filled is working, half is an old sighting, hollow is not connected,
 * "!" needs the seller.
 */
export function PlatformDots({ overview }: { overview: Overview }) {
  const { platforms } = overview
  // More than three names do not fit.
  const short = platforms.length > 3
  return (
    <ul class="dots" aria-label={text('home.shops')}>
      {platforms.map((platform) => {
        const age = ageOf(platform, overview)
        const words = healthText(platform, age)
        return (
          <li key={platform.slug} title={words}>
            <span aria-hidden="true">{short ? platformLetters[platform.slug] : platform.name}</span>
            <span class={`dot ${age === null ? platform.health : 'old'}`} aria-hidden="true">
              {marks[platform.health]}
            </span>
            {age !== null && (
              <span class="age" aria-hidden="true">
                {ageText(age)}
              </span>
            )}
            <span class="hidden">{words}</span>
          </li>
        )
      })}
    </ul>
  )
}

const marks: Record<PlatformHealth['health'], string> = { ok: '', none: '', needs_you: '!', unknown: '?' }

function healthText({ name, health, connection, seen_at }: PlatformHealth, age: number | null): string {
  if (health === 'none') return text('health.none', { platform: name })
  if (health === 'unknown') return text('health.unknown', { platform: name })
  if (health === 'needs_you') return text('health.needs_you', { platform: name })
  if (age === null) return text('health.ok', { platform: name, when: agoText(seen_at ?? Date.now()) })
  return text(connection === 'oauth' ? 'health.unasked' : 'health.old', {
    platform: name,
    when: agoText(age, Date.now(), true),
  })
}
