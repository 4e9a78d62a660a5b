import { readText } from '#extension/testing/captured.ts'
import { capturedSources, describeMutatedPages, type Source } from '#extension/testing/mutated-pages.ts'
import { shopFixtures } from '#extension/testing/shop-fixtures.ts'

const captured = (name: string) => readText(new URL('./', import.meta.url), name.replace('/', '/fixtures/captured/'))

const generated = (['poshmark', 'mercari', 'depop'] as const).map((slug): Source => {
  const { platform, shop, own, answer, layerOf } = shopFixtures[slug]({ listings: 30, sold: 6 })
  const begin = platform.begin(shop, platform.countListings(own))
  return { name: `a made-up shop on ${slug}`, platform, shop, begin, answer, layerOf }
})

describeMutatedPages([
  ...generated,
  ...capturedSources({
    kind: 'made-up captures',
    posts: { text: captured('poshmark/closet-page.json'), username: 'willow_attic' },
    items: {
      m46151598129: captured('mercari/item-active-toy.html'),
      m33013685664: captured('mercari/item-active-shoes.html'),
    },
    products: { text: captured('depop/search.json'), username: 'moss', id: '40815526' },
  }),
])
