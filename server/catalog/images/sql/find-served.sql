-- Returns a stored image by its uid alone, for anybody who knows it. Closed accounts show no images.
select image.uid from image
join app_user on app_user.id = image.user_id
where image.uid = ${uid} and image.stored_at is not null and app_user.state = 'active'
