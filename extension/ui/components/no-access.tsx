import browser from 'webextension-polyfill'
import { text } from '#extension/i18n/text.ts'
import { permissionPattern } from '#extension/messaging/server-address.ts'
import { Notice } from './notice.tsx'

/** The browser lets Hapax reach its server no longer: one press, and the browser's own question. */
export function NoAccess(props: { server: string; onAllowed: () => void }) {
  const allow = async () => {
    // Straight from the press: the browser asks for nothing else's sake.
    const allowed = await browser.permissions.request({ origins: [permissionPattern(props.server)] })
    if (allowed) props.onAllowed()
  }
  return (
    <Notice tone="warn" action={{ label: text('home.allow'), act: () => void allow() }}>
      {text('home.no_access', { server: URL.parse(props.server)?.host ?? props.server })}
    </Notice>
  )
}
