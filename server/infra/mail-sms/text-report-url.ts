import type { Config } from '#server/config.ts'
import { receiveTextReport } from '#shared/contract/declaring/text-reports.ts'

/** Returns the URL for a text's delivery reports; null if Twilio cannot reach this server. */
export function textReportUrl({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, id: string): string | null {
  return PUBLIC_URL.startsWith('https:') ? `${PUBLIC_URL}${textReportPath(id)}` : null
}

export const textReportPath = (id: string) => receiveTextReport.path.replace('{id}', id)
