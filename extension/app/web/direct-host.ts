import type { Worker } from '#extension/background/create-worker.ts'
import { answerPage } from '#extension/background/handlers/answer-page.ts'
import { openEnvelope } from '#extension/messaging/message-error.ts'
import type { News } from '#extension/messaging/news.ts'
import type { AnswerOf, Envelope } from '#extension/messaging/protocol.ts'
import type { Host } from '../host.ts'

/** Creates the host of the web app, whose page and worker share a process. */
export function directHost({ handlers, publisher }: Worker, camera?: Host['camera']): Host {
  return {
    kind: 'web',
    camera,
    send: async <Name extends Parameters<Host['send']>[0]>(name: Name, request: unknown) =>
      openEnvelope((await answerPage(name, request, handlers)) as Envelope<AnswerOf<Name>>),
    watch(onNews) {
      // In a later turn, as between two processes: a screen may publish what it then reads.
      const subscriber = { postMessage: (news: News) => queueMicrotask(() => onNews(news)) }
      publisher.join(subscriber)
      return () => publisher.leave(subscriber)
    },
    pageAt: (place) => new URL(`/app/${place}`, location.origin).href,
    openTab: (url) => void window.open(url, '_blank', 'noopener'),
    allow: async () => true,
    disallow: async () => {},
  }
}
