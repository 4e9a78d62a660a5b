import { createImage, rotateImage } from '#shared/contract/catalog/images.ts'
import { activeSession, openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer-page.ts'

/** 15 MB take about two minutes on a slow phone connection. */
const photoTimeoutMs = 180_000

/** Handlers for photos that the seller adds. */
export function photoHandlers(context: WorkerContext): Pick<PopupHandlers, 'photos.upload' | 'photos.rotate'> {
  return {
    async 'photos.upload'({ base64, account }) {
      const call = context.clientOf(await activeSession(context, account), photoTimeoutMs)
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      return call(createImage, { body: new Blob([bytes]) })
    },

    async 'photos.rotate'({ id, degrees }) {
      return (await openCall(context, photoTimeoutMs))(rotateImage, { params: { id }, body: { degrees } })
    },
  }
}
