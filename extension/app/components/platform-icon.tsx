import type { PlatformSlug } from '#shared/platforms.ts'

/** Letter and color of each platform's badge. The name stands beside it or in its title. */
const badges: Record<PlatformSlug, { letter: string; color: string }> = {
  ebay: { letter: 'e', color: '#0064d2' },
  etsy: { letter: 'E', color: '#c2470a' },
  poshmark: { letter: 'P', color: '#7f0353' },
  mercari: { letter: 'M', color: '#4a55d6' },
  depop: { letter: 'D', color: '#b3122a' },
}

/** A badge for a platform. Decorative: the words beside it say which one. */
export function PlatformIcon({ platform, size = 20 }: { platform: PlatformSlug; size?: number }) {
  const { letter, color } = badges[platform]
  return (
    <svg class="platform-icon" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <rect width="20" height="20" rx="5" fill={color} />
      <text x="10" y="14.5" text-anchor="middle" font-size="13" font-weight="700" fill="#ffffff">
        {letter}
      </text>
    </svg>
  )
}
