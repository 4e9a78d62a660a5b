-- Keeps everybody from calling a platform (for one shop, unless `shop` is empty) for so long, or for a growing while.
select block_platform_calls(${platform}, ${app}, ${shop}, make_interval(secs => ${seconds}::double precision))
