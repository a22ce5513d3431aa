-- Run once on the primary: psql "postgres://postgres@PRIMARY/postgres" -f database.sql
create role our_love_story login password '${APP_PASSWORD}';
create database our_love_story owner our_love_story;
