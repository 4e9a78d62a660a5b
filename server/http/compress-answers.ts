import { constants } from 'node:zlib'
import type Koa from 'koa'
import compress from 'koa-compress'

/**
 * Compresses answers of the API and its documents. Pages stay as they are: they carry tokens beside texts from the
 * address, whose length would betray the tokens (BREACH). The API is safe from that, since no other site can send its
 * credentials. Streams stay as they are, or their events would wait for a full block.
 */
export function compressAnswers(): Koa.Middleware {
  const compressed = compress({
    threshold: 2_048,
    filter: (type) => /^(application\/(json|schema\+json)|text\/csv)/.test(type),
    encodingPreference: ['br', 'gzip'],
    br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zstd: false,
    deflate: false,
  })
  return (ctx, next) => (/^\/(api|schemas)\//.test(ctx.path) ? compressed(ctx, next) : next())
}
