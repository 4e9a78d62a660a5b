import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { News } from '#extension/messaging/news.ts'
import type { OperationAnswer, OperationName, OperationRequest } from '#extension/messaging/operations.ts'
import type { AnswerOf, PopupRequestName, RequestOf } from '#extension/messaging/protocol.ts'

export { MessageError } from '#extension/messaging/message-error.ts'

/**
 * The place where the app runs: the browser's extension, whose worker keeps the key (popup/message-host.ts), or a page of the
 * seller's server (web/direct-host.ts).
 */
export interface Host {
  /** On the web, tabs of marketplaces cannot be read. */
  kind: 'extension' | 'web'
  /** Loads the view of a camera that reads codes, where one is offered: on the web, which phones use. */
  camera?: (() => Promise<ComponentType<{ onCode: (code: string) => void }>>) | undefined
  /** Asks the worker. Rejects with MessageError: the worker's error, or `lost`, which may be retried. */
  send<Name extends PopupRequestName>(name: Name, request: RequestOf<Name>): Promise<AnswerOf<Name>>
  /** Follows live changes until the returned function is called. `onLost`: the worker is gone. */
  watch(onNews: (news: News) => void, onLost: () => void): () => void
  /** Returns the address of the full page at a place such as `#tasks`. */
  pageAt(place: string): string
  openTab(url: string): void
  /** Asks the seller to let Hapax reach a server. Browsers allow the question in a user gesture only. */
  allow(server: string): Promise<boolean>
  /** Withdraws that. */
  disallow(server: string): Promise<void>
}

let current: Host

/** Sets the host before the first screen is shown. */
export function runOn(host: Host): void {
  current = host
}

/** Returns where the app runs. */
export const host = (): Host => current

/** Asks the worker, as `Host.send` says. */
export function send<Name extends PopupRequestName>(name: Name, request: RequestOf<Name>): Promise<AnswerOf<Name>> {
  return current.send(name, request)
}

/** Calls an operation of the server. Rejects as `send` does. */
export async function call<Name extends OperationName>(
  operation: Name,
  request: OperationRequest<Name>,
): Promise<OperationAnswer<Name>> {
  return (await send('call', { operation, request: request as RequestOf<'call'>['request'] })) as OperationAnswer<Name>
}

/** The host as the screens of a signed-in seller know it. */
interface SellersHost extends Pick<Host, 'kind' | 'camera'> {
  /** This browser has the extension. */
  hasExtension: boolean
  server: string
  /** Address of the full page, for links from the popup. Empty on the full page itself. */
  page: string
}

export const HostContext = createContext<SellersHost>({ kind: 'extension', hasExtension: true, server: '', page: '' })

export function useHost(): SellersHost {
  return useContext(HostContext)
}

/** The server's page that offers the extension. */
export function extensionPage({ server }: SellersHost): string {
  return `${server}/extension/`
}
