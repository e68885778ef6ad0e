# Writes NAME_page.h: a page of `graze ... --report` as two arrays of bytes, what stands before the data
# and what stands after it. NAME.html, styles and scripts go where page/page.html says so, in
# hexadecimal throughout, so that no character means anything to CMake.
#
#   cmake -DNAME=report -DFOLDER=web/report -DSCRIPTS=... -DOUTPUT=report_page.h -P report_page.cmake
function(split text mark mark_hex before after)
  string(FIND "${${text}}" "${mark_hex}" place)
  if(place LESS 0)
    message(FATAL_ERROR "${FOLDER}: no ${mark}")
  endif()
  string(LENGTH "${mark_hex}" length)
  string(SUBSTRING "${${text}}" 0 ${place} left)
  math(EXPR place "${place} + ${length}")
  string(SUBSTRING "${${text}}" ${place} -1 right)
  set(${before} "${left}" PARENT_SCOPE)
  set(${after} "${right}" PARENT_SCOPE)
endfunction()

function(read_hex name content)
  file(READ "${FOLDER}/${name}" hex HEX)
  string(FIND "${hex}" "3c2f73" place) # </s: the end of the element that it is put in
  if(NOT place LESS 0 AND NOT name MATCHES "html$")
    message(FATAL_ERROR "${FOLDER}/${name} holds what may be the end of its element")
  endif()
  set(${content} "${hex}" PARENT_SCOPE)
endfunction()

function(write_array name hex)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  file(APPEND "${OUTPUT}" "static const unsigned char ${name}[] = {\n${hex}};\n")
endfunction()

read_hex(../page/page.html page)
read_hex(${NAME}.html body)
read_hex(../page/page.css shared)
read_hex(${NAME}.css style)
foreach(name ${SCRIPTS})
  read_hex(${name}.js script)
  string(APPEND scripts "${script}")
endforeach()
split(page "/*style*/" 2f2a7374796c652a2f before rest)
split(rest "<!--body-->" 3c212d2d626f64792d2d3e head rest)
split(rest "<!--data-->" 3c212d2d646174612d2d3e between rest)
split(rest "/*scripts*/" 2f2a736372697074732a2f first last)
file(WRITE "${OUTPUT}" "/* Written by cmake/report_page.cmake. */\n")
write_array(${NAME}_page_head "${before}${shared}${style}${head}${body}${between}")
write_array(${NAME}_page_tail "${first}${scripts}${last}")
