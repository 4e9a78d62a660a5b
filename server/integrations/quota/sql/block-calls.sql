-- Blocks calls to a platform for all processes, for one shop unless `shop` is empty. If `seconds` is null, each block
-- lasts longer than the one before.
select block_platform_calls(${platform}, ${app}, ${shop}, make_interval(secs => ${seconds}::double precision))
