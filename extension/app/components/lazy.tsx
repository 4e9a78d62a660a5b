import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { Loading } from './loading.tsx'
import { Failure } from './pending.tsx'

/** The code that is here, by the function that fetches it. */
const fetched = new Map<unknown, unknown>()

/** Fetches the code of a screen or a dialog, which then is shown at once. */
export async function preload<Given>(load: () => Promise<ComponentType<Given>>): Promise<ComponentType<Given>> {
  const screen = await load()
  fetched.set(load, screen)
  return screen
}

/**
 * A screen or a dialog whose code is fetched when it is first shown, so that the app opens sooner. `given`: its
 * properties. `within`: what it waits in, a screen by default.
 */
export function Lazy<Given extends object>({
  load,
  given,
  within: Within = 'main',
}: {
  load: () => Promise<ComponentType<Given>>
  given: Given
  within?: 'main' | 'div'
}) {
  const [Screen, setScreen] = useState(() => (fetched.get(load) as ComponentType<Given> | undefined) ?? null)
  const [failed, setFailed] = useState(false)
  const fetchScreen = () => {
    setFailed(false)
    preload(load).then(
      (screen) => setScreen(() => screen),
      () => setFailed(true),
    )
  }
  useEffect(() => {
    if (!Screen) fetchScreen()
  }, [])
  if (Screen) return <Screen {...given} />
  return (
    <Within class={Within === 'main' ? 'page' : undefined} aria-busy={!failed}>
      {failed ? <Failure message={text('error.offline')} onRetry={fetchScreen} /> : <Loading />}
    </Within>
  )
}
