import { OAuthSlug } from '#shared/platforms.ts'
import type { AdminCommand } from './command.ts'
import * as sql from './queries.ts'

export const platformPause: AdminCommand = {
  name: 'platform pause',
  usage: ['ebay --yes', 'stops all calls to a platform within seconds; work for it waits'],
  takes: OAuthSlug.options.join(' or '),
  async run({ services, confirm }, given) {
    const platform = platformOf(given)
    confirm(
      `No order of ${platform} is read and nothing is taken down there until it is resumed: items may sell twice.`,
    )
    const row = await services.db.oneOrNone(sql.pausePlatform({ platform }))
    if (!row) throw new Error(`${platform} is paused already.`)
    return { json: { platform, paused: true }, words: `Calls to ${platform} stop.`, changed: platform }
  },
}

export const platformResume: AdminCommand = {
  name: 'platform resume',
  usage: ['ebay --yes', 'lets calls to a platform go on; waiting work begins within a minute'],
  takes: OAuthSlug.options.join(' or '),
  async run({ services, confirm }, given) {
    const platform = platformOf(given)
    confirm(`This lets calls to ${platform} go on.`)
    const row = await services.db.oneOrNone(sql.resumePlatform({ platform }))
    if (!row) throw new Error(`${platform} is not paused.`)
    return { json: { platform, paused: false }, words: `Calls to ${platform} go on.`, changed: platform }
  },
}

export const platformList: AdminCommand = {
  name: 'platform list',
  usage: ['', 'lists the paused platforms'],
  async run({ services }) {
    const rows = await services.db.any(sql.listPauses())
    const lines = rows.map(({ platform, paused_at }) => `${platform}: paused since ${paused_at}`)
    return { json: rows, words: lines.length === 0 ? 'No platform is paused.' : lines.join('\n') }
  },
}

function platformOf(given: string): OAuthSlug {
  const platform = OAuthSlug.options.find((slug) => slug === given)
  if (!platform) throw new Error(`"${given}" is not ${OAuthSlug.options.join(' or ')}.`)
  return platform
}
