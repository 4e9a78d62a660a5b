import { host } from '../host.ts'
import { Notice } from './notice.tsx'
import { text } from './words.ts'

/** Shown when the browser no longer lets Hapax reach its server. Its button opens the browser's permission prompt. */
export function NoAccess(props: { server: string; onAllowed: () => void }) {
  const allow = async () => {
    // Ask straight from the click: browsers allow the prompt only in a user gesture.
    const allowed = await host().allow(props.server)
    if (allowed) props.onAllowed()
  }
  return (
    <Notice tone="warn" action={{ label: text('home.allow'), act: () => void allow() }}>
      {text('home.no_access', { server: URL.parse(props.server)?.host ?? props.server })}
    </Notice>
  )
}
