import { text } from '#extension/i18n/text.ts'
import type { Overview } from '#extension/messaging/overview.ts'
import { ageOf } from '../common/age-of.ts'
import { HealthDot, healthText, sightText } from './health.tsx'

/** The name of each platform with its health as a dot, and in words for screen readers and tooltips. */
export function PlatformDots({ overview }: { overview: Overview }) {
  return (
    <ul class="dots" aria-label={text('home.shops')}>
      {overview.platforms.map((platform) => {
        const age = ageOf(platform, overview)
        const state = healthText(platform, age)
        const words = `${platform.name}: ${[state, sightText(platform, age)].filter(Boolean).join('. ').replace(/\.\. /, '. ')}`
        return (
          <li key={platform.slug} title={words}>
            <HealthDot health={platform.health} age={age} />
            <span aria-hidden="true">{platform.name}</span>
            <span class="hidden">{words}</span>
          </li>
        )
      })}
    </ul>
  )
}

/** A line for each platform that fails. */
export function FailingShops({ overview, ...given }: { overview: Overview; class: string }) {
  return overview.platforms
    .filter(({ health }) => health === 'failing')
    .map((platform) => (
      <p key={platform.slug} {...given}>
        {healthText(platform, null)}
      </p>
    ))
}
