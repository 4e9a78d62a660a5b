import { listSaleMails, resolveSaleMail } from '#shared/contract/sale-mail.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer.ts'

/** Mails of a page. */
const mailsPerPage = 50

/** Handlers for mails about sales. */
export function saleMailHandlers(context: WorkerContext): Pick<PopupHandlers, 'saleMail.list' | 'saleMail.answer'> {
  return {
    async 'saleMail.list'({ outcome, page }) {
      return (await openCall(context))(listSaleMails, {
        query: { page: String(page), page_size: String(mailsPerPage), ...(outcome !== null && { outcome }) },
      })
    },

    async 'saleMail.answer'({ uid, item }) {
      return (await openCall(context))(resolveSaleMail, { params: { uid }, body: { item_uid: item } })
    },
  }
}
