import { getSalesTotals, listSales, updateSaleCosts } from '#shared/contract/sales.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer.ts'

/** Sales on the first screen. */
const recentSales = 5

/** Sales of one request. */
const salesPerPage = 100

/** Handlers for sales. */
export function salesHandlers(
  context: WorkerContext,
): Pick<PopupHandlers, 'sales.recent' | 'sales.page' | 'sales.costs'> {
  return {
    async 'sales.recent'({ day_from, week_from }) {
      const call = await openCall(context)
      const [{ results }, day, week] = await Promise.all([
        call(listSales, { query: { from: week_from, page_size: String(recentSales) } }),
        call(getSalesTotals, { query: { from: day_from } }),
        call(getSalesTotals, { query: { from: week_from } }),
      ])
      return { sales: results, day, week }
    },

    async 'sales.page'({ from, cursor }) {
      return (await openCall(context))(listSales, {
        query: {
          page_size: String(salesPerPage),
          ...(from === null ? {} : { from }),
          ...(cursor === null ? {} : { cursor }),
        },
      })
    },

    async 'sales.costs'({ id, ...body }) {
      return (await openCall(context))(updateSaleCosts, { params: { id }, body })
    },
  }
}
