import { useState } from 'preact/hooks'
import type { Overview } from '#extension/messaging/overview.ts'
import { type TakeDownEntry, takeDownLimits } from '#extension/messaging/take-downs.ts'
import { type ExtensionSlug, platformOf } from '#shared/platforms.ts'
import { whenText } from '../common/format.ts'
import { Checkbox } from '../components/fields.tsx'
import { Notice } from '../components/notice.tsx'
import { Pending } from '../components/pending.tsx'
import { PlatformIcon } from '../components/platform-icon.tsx'
import { useAction, useRequest } from '../hooks/use-request.ts'
import { send, useHost } from '../host.ts'
import { text, textIfAny } from './words.ts'

const slugs: readonly ExtensionSlug[] = ['poshmark', 'mercari', 'depop']

/** Pages of the marketplaces about their rules, as found in November 2026. */
const rules: Record<ExtensionSlug, string> = {
  poshmark: 'https://poshmark.com/terms',
  mercari: 'https://www.mercari.com/help_center/getting_started/prohibited_conduct/',
  depop: 'https://depophelp.zendesk.com/hc/en-gb/articles/360001772948-Why-has-my-account-been-suspended',
}

interface Given {
  overview: Overview
  refresh: () => Promise<void>
  /** The marketplace to set up, or null for the overview and the log. */
  platform: string | null
}

/** Where sold listings end by themselves, and what was done; or the page before a marketplace is switched on. */
export function TakeDownsPage(given: Given) {
  const { kind } = useHost()
  const platform = slugs.find((slug) => slug === given.platform)
  if (platform && kind === 'extension') return <SetUp {...given} platform={platform} />
  return <State {...given} />
}

function State({ overview, refresh }: Given) {
  const { kind } = useHost()
  const { on, running } = overview.takeDowns
  const { busy, problem, act } = useAction()
  const log = useRequest(`log ${running?.task ?? ''}`, () => send('takeDowns.log', {}))
  const turnOff = (platform: ExtensionSlug) =>
    act(platform, async () => {
      await send('takeDowns.switch', { platform, on: false })
      await refresh()
    })
  return (
    <main class="page item cards take-downs">
      <div class="part">
        <h1 tabIndex={-1}>{text('downs.title')}</h1>
        <p class="soft">{text(kind === 'web' ? 'downs.on_web' : 'downs.lead')}</p>
      </div>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {kind === 'extension' && (
        <section class="part" aria-labelledby="downs-platforms">
          <h2 id="downs-platforms">{text('shops.platforms')}</h2>
          <ul class="rows">
            {slugs.map((slug) => (
              <li key={slug}>
                <PlatformIcon platform={slug} size={24} />
                <div class="grow">
                  <p>
                    <strong>{platformOf(slug).name}</strong>
                  </p>
                  <p class="soft">{stateText(slug, overview)}</p>
                </div>
                {on.includes(slug) ? (
                  <button
                    type="button"
                    aria-disabled={busy !== null}
                    aria-label={`${text('downs.turn_off')}, ${platformOf(slug).name}`}
                    onClick={() => void turnOff(slug)}
                  >
                    {text(running?.platform === slug ? 'stop' : 'downs.turn_off')}
                  </button>
                ) : (
                  <a
                    class="button"
                    href={`#takedowns/${slug}`}
                    aria-label={`${text('downs.turn_on')}, ${platformOf(slug).name}`}
                  >
                    {text('downs.turn_on')}
                  </a>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="part" aria-labelledby="downs-log" aria-busy={log.state === 'loading'}>
        <h2 id="downs-log">{text('downs.log')}</h2>
        <Pending of={log} />
        {log.state === 'ready' && (
          <>
            <p class="soft">{text(log.value.length > 0 ? 'downs.log_text' : 'downs.log_empty')}</p>
            <ul class="rows">
              {log.value.map((entry) => (
                <LogRow key={entry.task} entry={entry} />
              ))}
            </ul>
          </>
        )}
      </section>
    </main>
  )
}

function stateText(slug: ExtensionSlug, { takeDowns: { on, running } }: Overview): string {
  if (running?.platform === slug) return text('downs.state.running', { title: running.title })
  return text(on.includes(slug) ? 'downs.state.on' : 'downs.state.off')
}

function LogRow({ entry }: { entry: TakeDownEntry }) {
  const { result, pressed, seen, closed } = entry
  const isDown = result === 'ended' || result === 'already_down'
  const next = textIfAny(`downs.next.${result}`)
  const list = new Intl.ListFormat('en', { type: 'unit' })
  const details = [
    pressed.length > 0
      ? text('downs.pressed', { words: list.format(pressed.map((word) => `“${word}”`)) })
      : text('downs.pressed_none'),
    ...(seen ? [text('downs.seen', { seen })] : []),
    text('downs.took', { n: Math.max(1, Math.round((entry.ended_at - entry.begun_at) / 1_000)) }),
    text(closed === null ? 'downs.other_browser' : closed ? 'downs.closed' : 'downs.left_open'),
  ]
  return (
    <li>
      <PlatformIcon platform={entry.platform} size={24} />
      <div class="grow">
        <p>
          <strong class={isDown ? undefined : 'warn'}>{text(`downs.result.${result}`)}</strong>{' '}
          <span class="soft">
            {platformOf(entry.platform).name}, {whenText(entry.ended_at)}
          </span>
        </p>
        <p class="cut">
          <a href={`#item/${entry.item}`}>{entry.title}</a>
        </p>
        <p class="soft">{details.join(' ')}</p>
        {next && <p>{next}</p>}
      </div>
    </li>
  )
}

function SetUp({ platform: slug, refresh }: Given & { platform: ExtensionSlug }) {
  const [agreed, setAgreed] = useState(false)
  const { busy, problem, act } = useAction()
  const platform = platformOf(slug).name
  const turnOn = () =>
    act('on', async () => {
      await send('takeDowns.switch', { platform: slug, on: true })
      await refresh()
      location.replace('#takedowns')
    })
  return (
    <main class="page item cards take-downs">
      <div class="part">
        <h1 tabIndex={-1}>{text('downs.set_up.title', { platform })}</h1>
        <p class="soft">{text('downs.set_up.lead', { platform })}</p>
      </div>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <section class="part prose" aria-labelledby="downs-does">
        <h2 id="downs-does">{text('downs.set_up.does')}</h2>
        <ol>
          <li>{text('downs.set_up.does.1')}</li>
          <li>{text('downs.set_up.does.2', { platform })}</li>
          <li>{text('downs.set_up.does.3')}</li>
          <li>{text(`downs.set_up.how.${slug}`)}</li>
          <li>{text('downs.set_up.does.5')}</li>
        </ol>
        <p>{text('downs.set_up.stops')}</p>
      </section>
      <section class="part prose" aria-labelledby="downs-never">
        <h2 id="downs-never">{text('downs.set_up.never')}</h2>
        <ul>
          <li>{text('downs.set_up.never.1')}</li>
          <li>{text('downs.set_up.never.2', { n: takeDownLimits.perHour })}</li>
          <li>{text('downs.set_up.never.3', { platform })}</li>
        </ul>
      </section>
      <section class="part prose" aria-labelledby="downs-rules">
        <h2 id="downs-rules">{text('downs.set_up.rules', { platform })}</h2>
        <p>{text('downs.set_up.rules_text', { platform })}</p>
        <p>
          <a href={rules[slug]} target="_blank" rel="noreferrer">
            {text('downs.set_up.rules_link', { platform })}
          </a>
        </p>
      </section>
      <div class="part agree">
        <Checkbox label={text('downs.set_up.agree', { platform })} checked={agreed} onChange={setAgreed} />
        <button
          type="button"
          class="main"
          aria-disabled={!agreed || busy !== null}
          onClick={() => agreed && void turnOn()}
        >
          {text('downs.set_up.turn_on', { platform })}
        </button>
      </div>
    </main>
  )
}
