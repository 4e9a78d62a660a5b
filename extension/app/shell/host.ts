import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** Where the screens run, and the seller's server. On the web, tabs of marketplaces cannot be read. */
export interface Host {
  kind: 'extension' | 'web'
  /** This browser has the extension. */
  hasExtension: boolean
  server: string
  /** Loads the view of a camera that reads codes, where one is offered: on the web, which phones use. */
  camera?: (() => Promise<ComponentType<{ onCode: (code: string) => void }>>) | undefined
  /** Address of the full page, for links from the popup. Empty on the full page itself. */
  page: string
}

export const HostContext = createContext<Host>({ kind: 'extension', hasExtension: true, server: '', page: '' })

export function useHost(): Host {
  return useContext(HostContext)
}

/** The server's page that offers the extension. */
export function extensionPage({ server }: Host): string {
  return `${server}/extension/`
}
