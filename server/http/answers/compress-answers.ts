import { constants } from 'node:zlib'
import type Koa from 'koa'
import compress from 'koa-compress'

/**
 * Compresses answers of the API and its documents. Pages stay as they are: they carry tokens beside texts from the
 * address, whose length would betray the tokens (BREACH). The API is safe from that, since no other site can send its
 * credentials. Streams of events stay as they are. Long answers are sent part by part, so that no proxy takes the
 * connection for idle.
 */
export function compressAnswers(): Koa.Middleware {
  const compressed = compress({
    threshold: 2_048,
    filter: (type) => /^(application\/(json|schema\+json)|text\/csv)/.test(type),
    encodingPreference: ['br', 'gzip'],
    br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 }, flush: constants.BROTLI_OPERATION_FLUSH },
    gzip: { flush: constants.Z_SYNC_FLUSH },
    zstd: false,
    deflate: false,
  })
  return (ctx, next) => (/^\/(api|schemas)\//.test(ctx.path) ? compressed(ctx, next) : next())
}
