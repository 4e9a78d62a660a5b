import type { PlatformHealth } from '../../../overview/overview.ts'
import { text } from '../../../texts/text.ts'
import { platformLetters } from '../../../ui/platform-chips.tsx'
import { agoText } from '../format.ts'

/** Health of the platforms: filled = seen working, hollow = not connected, "!" = needs the seller; said in words too. */
export function PlatformDots({ platforms }: { platforms: readonly PlatformHealth[] }) {
  // Five names do not fit beside each other.
  const short = platforms.length > 3
  return (
    <ul class="dots" aria-label={text('home.shops')}>
      {platforms.map((platform) => (
        <li key={platform.slug} title={healthText(platform)}>
          <span aria-hidden="true">{short ? platformLetters[platform.slug] : platform.name}</span>
          <span class={`dot ${platform.health}`} aria-hidden="true">
            {platform.health === 'needs_you' ? '!' : ''}
          </span>
          <span class="hidden">{healthText(platform)}</span>
        </li>
      ))}
    </ul>
  )
}

function healthText({ name, health, seen_at }: PlatformHealth): string {
  if (health === 'none') return text('health.none', { platform: name })
  if (health === 'needs_you') return text('health.needs_you', { platform: name })
  return text('health.ok', { platform: name, when: agoText(seen_at ?? Date.now()) })
}
